#pragma once
// TypeScript's interfaces of what shape.hpp describes: for web/src, so that the page reads exactly what is written.

#include <string>
#include <vector>

#include "report/json/shape.hpp"

namespace trikal::report {

class TypeScript {
 public:
  // "number", "Flow", "Site[]". Objects are declared before what holds them, each once.
  template <class T>
  std::string type();
  [[nodiscard]] const std::string& declarations() const { return text_; }

 private:
  struct Member {
    std::string_view name;
    std::string type;
    std::string_view meaning;
    bool optional;
  };
  struct Members {
    std::vector<Member> fields;
    std::string bases;  // "Use, Other"
  };

  template <class T>
  std::string object();
  template <class T>
  std::string enumeration();
  template <class T, class Get>
  void add(Members& into, const Field<Get>& field);
  template <class T, class Get>
  void add(Members& into, const FieldsOf<Get>& part);

  bool is_new(std::string_view name);
  void declare_interface(std::string_view name, std::string_view meaning, const Members& members);
  void declare_tuple(std::string_view name, const Members& members);
  void declare_union(std::string_view name, const std::vector<std::string_view>& values);

  std::vector<std::string_view> declared_;
  std::string text_;
};

template <class T>
std::string TypeScript::type() {
  if constexpr (std::is_same_v<T, bool>) return "boolean";
  else if constexpr (std::is_arithmetic_v<T>) return "number";
  else if constexpr (Text<T>) return "string";
  else if constexpr (Named<T>) return enumeration<T>();
  else if constexpr (kIsVariant<T>) return type<std::variant_alternative_t<0, T>>();  // of numbers only
  else if constexpr (Described<T>) return object<T>();
  else if constexpr (requires { typename T::Entry; }) return "{ [name: string]: " + type<typename T::Entry>() + " }";
  else if constexpr (requires { typename T::Row; }) return type<typename T::Row>() + "[]";
  else return type<std::ranges::range_value_t<T>>() + "[]";
}

template <class T, class Get>
void TypeScript::add(Members& into, const Field<Get>& field) {
  using Value = ValueOf<T, Get>;
  if constexpr (kIsOptional<Value>) {
    into.fields.push_back({field.name, type<typename Value::value_type>(), field.meaning, true});
  } else {
    into.fields.push_back({field.name, type<Value>(), field.meaning, false});
  }
}

template <class T, class Get>
void TypeScript::add(Members& into, const FieldsOf<Get>& /*part*/) {
  into.bases += (into.bases.empty() ? "" : ", ") + type<ValueOf<T, Get>>();
}

template <class T>
std::string TypeScript::object() {
  constexpr std::string_view kName = Shape<T>::kName;
  if (!is_new(kName)) return std::string(kName);
  Members members;
  std::apply([&](const auto&... field) { (add<T>(members, field), ...); }, Shape<T>::kFields);
  std::string_view meaning;
  if constexpr (requires { Shape<T>::kMeaning; }) meaning = Shape<T>::kMeaning;
  if constexpr (kIsTuple<T>) declare_tuple(kName, members);
  else declare_interface(kName, meaning, members);
  return std::string(kName);
}

template <class T>
std::string TypeScript::enumeration() {
  constexpr std::string_view kName = Names<T>::kName;
  std::vector<std::string_view> values;
  values.reserve(Names<T>::kAll.size());
  for (const T value : Names<T>::kAll) values.push_back(Names<T>::text(value));
  if (is_new(kName)) declare_union(kName, values);
  return std::string(kName);
}

}  // namespace trikal::report
